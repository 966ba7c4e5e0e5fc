declare module "*.txt" {
  /** The file's text, which takes a moment to unpack. */
  const text: () => string;
  export default text;
}
