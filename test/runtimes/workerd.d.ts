declare module "workerd" {
  /** Where the executable lies. */
  const path: string;
  export default path;
}
