use super::*;

/// A module without anything in it.
const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

#[test]
fn broken_files_are_written_anew() {
    let folder = std::env::temp_dir().join(format!("standin-modules-{}", process::id()));
    let runtime = runtime().unwrap();
    let made = module(&runtime, EMPTY, None, Some(&folder)).unwrap();
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = files.as_slice() else { panic!("there are {files:?}") };
    let whole = fs::read(file).unwrap();
    assert!(kept(&runtime, file).is_some());

    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for broken in [changed.as_slice(), &whole[..whole.len() - 1], &whole[..4], &[]] {
        fs::write(file, broken).unwrap();
        assert!(kept(&runtime, file).is_none());
        module(&runtime, EMPTY, None, Some(&folder)).unwrap();
        assert!(kept(&runtime, file).is_some());
    }

    // A process that has its modules already writes those that are missing.
    fs::remove_file(file).unwrap();
    module(&runtime, EMPTY, Some(&made), Some(&folder)).unwrap();
    assert!(kept(&runtime, file).is_some());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let inside_a_file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/folder");
    let error = module(&runtime().unwrap(), EMPTY, None, Some(&inside_a_file)).err().unwrap();
    assert_eq!(error.code(), "host/cache");
}
