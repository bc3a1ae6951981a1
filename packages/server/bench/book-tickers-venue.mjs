// The other end of book-tickers.bench.ts, in a process of its own: combined streams of best prices and trades. What is
// sent is the same in every run; only the moment of sending is real.
import { WebSocketServer } from 'ws';

const [symbols, busy, busyRate, quietRate, tradeShare] = process.argv.slice(2).map(Number);
const BEAT_MS = 5;
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
const clients = new Map();
let seed = 20_261_127;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const prices = new Float64Array(symbols).fill(100);
const owed = Float64Array.from({ length: symbols }, random);
const owedTrades = new Float64Array(symbols);
let id = 0;
const now = () => performance.timeOrigin + performance.now();

server.on('connection', (socket) => {
  const streams = new Set();
  clients.set(socket, streams);
  socket.on('close', () => clients.delete(socket));
  socket.on('message', (data) => {
    const { method, params, id: request } = JSON.parse(Buffer.concat([data].flat().map((part) => Buffer.from(part))).toString('utf8'));
    for (const stream of params) {
      if (method === 'SUBSCRIBE') streams.add(stream);
      else streams.delete(stream);
    }
    socket.send(JSON.stringify({ result: null, id: request }));
    process.send({ subscribed: [...clients.values()].reduce((sum, each) => sum + each.size, 0) });
  });
});
server.on('listening', () => process.send({ port: server.address().port }));

function tell(stream, data) {
  for (const [socket, streams] of clients) if (streams.has(stream)) socket.send(JSON.stringify({ stream, data }));
}
function bookTicker(n) {
  const price = prices[n] * (1 + (random() - 0.5) * 0.0004);
  prices[n] = price;
  const [b, a] = [(price * 0.9999).toFixed(4), (price * 1.0001).toFixed(4)];
  const sizes = { B: (random() * 10).toFixed(3), A: (random() * 10).toFixed(3) };
  tell(`c${n}usdt@bookTicker`, { u: ++id, s: `C${n}USDT`, b, ...sizes, a });
}
function trade(n) {
  const [p, q] = [prices[n].toFixed(4), random().toFixed(3)];
  const T = now();
  tell(`c${n}usdt@trade`, { e: 'trade', E: T, s: `C${n}USDT`, t: ++id, p, q, T, m: random() < 0.5, M: true });
}
let last = now();
const timer = setInterval(() => {
  const at = now();
  const passed = (at - last) / 1000;
  last = at;
  for (let n = 0; n < symbols; n += 1) {
    const rate = n < busy ? busyRate : quietRate;
    for (owed[n] += passed * rate; owed[n] >= 1; owed[n] -= 1) bookTicker(n);
    for (owedTrades[n] += passed * rate * tradeShare; owedTrades[n] >= 1; owedTrades[n] -= 1) trade(n);
  }
}, BEAT_MS);
process.on('disconnect', () => {
  clearInterval(timer);
  process.exit();
});
