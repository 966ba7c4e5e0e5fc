declare module "*/shared/parts.js" {
  /**
   * The script of another thread: the text of functions that this one has loaded.
   * @param port the script's expression for its end of the connection
   */
  export const threadScript: (port: string) => string;
}
