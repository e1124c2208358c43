/** The build gives each class of a module a unique name (scripts/build.mjs). */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
