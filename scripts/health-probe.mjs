/** Exits with 0 if the server of this machine is ready: the health check of the image. */

const url = `http://127.0.0.1:${process.env.PORT ?? 3000}/ready`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  process.exit(answer.ok ? 0 : 1);
} catch {
  process.exit(1);
}
