// The reference: a bare node:http server. It reads each request to its end and sends the same constant body.
import { createServer } from "node:http";

const [port, size] = process.argv.slice(2).map(Number);
const body = Buffer.alloc(size, "x");
const headers = ["Content-Type", "application/json", "Content-Length", String(size)];

createServer((request, response) => {
  const respond = () => {
    response.writeHead(200, headers);
    response.end(body);
  };
  if (request.method === "GET") return respond();
  request.resume();
  request.on("end", respond);
}).listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
