/** The version of this package, put in by the bundler. */
declare const TAILRACE_VERSION: string;
