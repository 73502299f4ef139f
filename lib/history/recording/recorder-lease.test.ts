import { describe, expect, test } from "vitest";
import { WhileRecording } from "@/lib/history/recording/while-recording";
import { silentLog } from "@/lib/platform/log/log";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the work of the server that records", () => {
  test("It starts and stops with recording, each time under the number of that time.", async () => {
    const phases = new WhileRecording(silentLog);
    const events: string[] = [];
    const work = await phases.run((fence) => {
      events.push(`start ${fence}`);
      return { stop: () => void events.push(`stop ${fence}`) };
    });
    expect(events).toEqual([]);
    phases.begin(4);
    await phases.begun;
    await turn();
    phases.end();
    await turn();
    expect(events).toEqual(["start 4", "stop 4"]);
    phases.begin(6);
    await turn();
    await work.stop();
    phases.end();
    phases.begin(8);
    await turn();
    expect(events).toEqual(["start 4", "stop 4", "start 6", "stop 6"]);
  });

  test("Work that starts slowly is stopped only after it has started, and never runs twice at a time.", async () => {
    const phases = new WhileRecording(silentLog);
    phases.begin(1);
    const events: string[] = [];
    const work = phases.run(async (fence) => {
      await turn();
      events.push(`start ${fence}`);
      return {
        async stop() {
          await turn();
          events.push(`stop ${fence}`);
        },
      };
    });
    phases.end();
    phases.begin(3);
    const running = await work;
    await expect.poll(() => events).toEqual(["start 1", "stop 1", "start 3"]);
    await running.stop();
    expect(events).toEqual(["start 1", "stop 1", "start 3", "stop 3"]);
  });

  test("A first start that fails is the caller's, and a later one is repeated.", async () => {
    const phases = new WhileRecording(silentLog);
    phases.begin(1);
    await expect(phases.run(() => Promise.reject(new Error("no database")))).rejects.toThrow("no database");
    phases.end();
    let tries = 0;
    const started = new Promise<number>((resolve) => {
      void phases.run((fence) => {
        if (++tries === 1) throw new Error("no database");
        resolve(fence);
        return { stop() {} };
      });
    });
    phases.begin(2);
    expect(await started).toBe(2);
    expect(tries).toBe(2);
  });
});
