// Starts `partita serve` for a test file and stops it afterwards.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program =
  process.env.PARTITA_PROGRAM ??
  fileURLToPath(new URL("../../../build/release/partita", import.meta.url));

// Resolves to {url, stop} once the start-up line has named the port.
export async function startServer(engine, more = []) {
  const directory = mkdtempSync(join(tmpdir(), "partita-js-"));
  const place = engine === "memory" ? ["--in-memory"] : ["--data", join(directory, "data")];
  const child = spawn(program, ["serve", "--port", "0", ...place, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = line.match(/https?:\/\/[^\s,]+:\d+/);
      if (match) resolve(match[0]);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`partita ended with ${code}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
