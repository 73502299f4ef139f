import { afterAll, beforeAll, expect, test } from "vitest";
import { openPeople, PASSWORD, type People } from "@/e2e/process/form-people";

let people: People;

beforeAll(async () => {
  people = await openPeople();
});
afterAll(() => people?.close());

test("A member sees what an operator did to a key, but not the operator's account or address", async () => {
  const { operator, database } = people;
  const member = await people.createMember();
  await member.browser.submit("/keys/new", /Create key/, { label: "Desk", password: PASSWORD });
  const { id } = await database.prisma.apiKey.findFirstOrThrow({ where: { accountId: member.id } });
  await operator.browser.submit(`/operator/keys/${id}`, /Disable key/, {});
  const findLine = async (browser: typeof member.browser, path: string) =>
    (await browser.page(path)).split(/<tr\b|\r?\n/).find((line) => line.includes("key.disable")) ?? "";
  for (const path of ["/audit", "/audit/csv", `/keys/${id}`]) {
    const line = await findLine(member.browser, path);
    expect(line, path).toContain("the operator");
    expect(line, path).not.toContain(operator.id);
    expect(line, path).not.toContain("127.0.0.1");
  }
  for (const path of ["/audit", "/audit/csv"]) {
    expect(await findLine(operator.browser, path), path).toContain("127.0.0.1");
  }
});
