// Loaded before a test run by `npm run test:repeat -- --dates`: the wall clock begins at PILOTFISH_DATE and goes on from
// there, in this process and in every one that it starts.
const Wall = Date;
const ahead = Wall.parse(process.env.PILOTFISH_DATE) - Number(process.env.PILOTFISH_DATE_SINCE);
const now = () => Wall.now() + ahead;
function Faked(...given) {
  if (new.target === undefined) return new Wall(now()).toString();
  return Reflect.construct(Wall, given.length === 0 ? [now()] : given, new.target);
}
Object.defineProperty(Faked, 'name', { value: 'Date' });
Faked.prototype = Wall.prototype;
Faked.prototype.constructor = Faked;
globalThis.Date = Object.assign(Faked, { now, parse: Wall.parse, UTC: Wall.UTC });
