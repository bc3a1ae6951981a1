/** Nothing to build for the server's own end-to-end tests; the browser's and the terminal's come here. */
export default async function setup(): Promise<void> {}
