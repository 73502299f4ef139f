import { describe, expect, test } from "vitest";
import { mirrorSection } from "@/e2e/venues/kit/mirror-client.fixture";
import { parseScenarios } from "@/e2e/venues/kit/parse-scenario";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { listVenues, readVenueFile } from "@/e2e/venues/kit/venue-file";

/**
 * A client that sends what a scenario expects, and nothing else, plays every scenario of every venue to its end. So a
 * connector that fails in one has failed by itself.
 */

describe.each(listVenues())("%s", (venueName) => {
  const text = readVenueFile(venueName);
  const { transport, scenarios } = parseScenarios(text);

  test.each(scenarios.map(({ name }) => name))("%s can be played to its end", async (name) => {
    const venue = await open({ scenario: text, name, timeScale: 0.0001 });
    const { sections = [] } = scenarios.find((scenario) => scenario.name === name) ?? {};
    for (const [at, section] of sections.entries()) {
      await mirrorSection(transport ?? "websocket", venue.url, section);
      await expect.poll(() => venue.connections, { timeout: 10_000, interval: 2 }).toBeGreaterThan(at);
    }
    await venue.finished();
    await venue.close();
    expect(venue.violations).toEqual([]);
  });
});
