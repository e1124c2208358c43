/** The build gives each class of a module a name of its own (scripts/build.mjs). */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
