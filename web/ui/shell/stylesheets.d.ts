/** The build gives each class of a module a unique name (scripts/build-pages.mjs). */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}

/** The build puts the styles of all components here (scripts/build-pages.mjs). */
declare module 'whence:styles';
