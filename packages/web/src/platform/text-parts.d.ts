/** A part of the texts, as vite.config.ts cuts it. */
declare module '*.json?part=first' {
  const texts: Record<string, unknown>;
  export default texts;
}
declare module '*.json?part=rest' {
  const texts: Record<string, unknown>;
  export default texts;
}
