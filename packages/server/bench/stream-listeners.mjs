// The other end of stream.bench.ts, in a process of its own: so many listeners that read and count.
import { connect } from 'node:net';

const [port, count, encoding, deaf] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4], Number(process.argv[5])];
let bytes = 0;
let open = 0;
for (let n = 0; n < count + deaf; n += 1) {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(
      `GET /bff/v2/stream?topics=tickers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${n}\r\naccept-encoding: ${encoding}\r\n\r\n`,
    );
    open += 1;
    if (open === count + deaf) process.send?.('open');
  });
  socket.on('error', () => undefined);
  if (n >= count) socket.pause();
  else
    socket.on('data', (data) => {
      bytes += data.length;
    });
}
process.on('message', () => process.send?.({ bytes }));
process.on('disconnect', () => process.exit());
