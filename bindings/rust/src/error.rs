use std::error::Error as StdError;
use std::fmt;

use serde::Deserialize;

/// Every error that standin raises on purpose, and the errors of the caller's readers, writers and functions.
///
/// The message says what was expected, what was found (in options, schema, header or files; never in a record) and what
/// to do.
#[derive(Debug, Deserialize)]
pub struct Error {
    code: String,
    message: String,
    hint: Option<String>,
    #[serde(skip)]
    cause: Option<Cause>,
}

/// An error from the caller's own code, of any type.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// What requests to a core return.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A code that programs may test, `<room>/<what>`, such as `schema/unknown-column` or `budget/exceeded`.
    ///
    /// `host/io` and `host/caller` are errors of the caller's readers, writers and functions, which
    /// [`source`](StdError::source) returns.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The whole message, in one or more sentences.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it: the end of the message, if it says so.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    pub(crate) fn new(code: &str, message: &str) -> Self {
        Self { code: code.into(), message: message.into(), hint: None, cause: None }
    }

    pub(crate) fn caused(code: &str, message: &str, cause: impl Into<Cause>) -> Self {
        Self { cause: Some(cause.into()), ..Self::new(code, message) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}
