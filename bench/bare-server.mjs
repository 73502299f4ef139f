// The reference: node:http with nothing in front of it and nothing behind it. It reads a request to its end, as any
// server must, and sends the same constant body every time.
import { createServer } from "node:http";

const [port, size] = process.argv.slice(2).map(Number);
const body = Buffer.alloc(size, "x");
const headers = ["Content-Type", "application/json", "Content-Length", String(size)];

createServer((request, response) => {
  const answer = () => {
    response.writeHead(200, headers);
    response.end(body);
  };
  if (request.method === "GET") return answer();
  request.resume();
  request.on("end", answer);
}).listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
