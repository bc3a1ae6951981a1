/** The product's version; a test keeps it equal to the package manifest. */
export const VERSION = '0.1.0';
