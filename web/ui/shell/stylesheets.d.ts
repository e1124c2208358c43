/** The build gives each class of a module a unique name (scripts/build-pages.mjs). */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}

/** The module with the styles of all components, which the build generates (scripts/build-pages.mjs). */
declare module 'whence:styles';
