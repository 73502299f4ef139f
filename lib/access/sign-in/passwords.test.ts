import { describe, expect, test } from "vitest";
import { createPasswords, findPasswordProblem } from "@/lib/access/sign-in/passwords";

const cheap = { logN: 4, r: 8, p: 1 };

describe("password hashes", () => {
  test("Only the hashed password verifies", async () => {
    const passwords = createPasswords(cheap);
    const stored = await passwords.hash("correct horse battery");
    expect(await passwords.verify("correct horse battery", stored)).toBe(true);
    expect(await passwords.verify("correct horse batterY", stored)).toBe(false);
    expect(await passwords.verify("", stored)).toBe(false);
  });

  test("The same password gives a different hash each time", async () => {
    const passwords = createPasswords(cheap);
    expect(await passwords.hash("correct horse battery")).not.toBe(await passwords.hash("correct horse battery"));
  });

  test("Old hashes verify after a change of cost", async () => {
    const stored = await createPasswords(cheap).hash("correct horse battery");
    expect(stored).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
    expect(await createPasswords().verify("correct horse battery", stored)).toBe(true);
  });

  test("The default cost is the full cost", async () => {
    expect(await createPasswords().hash("correct horse battery")).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  });

  test("Composed and decomposed characters are the same password", async () => {
    const passwords = createPasswords(cheap);
    const stored = await passwords.hash("caf\u00e9 caf\u00e9 caf\u00e9");
    expect(await passwords.verify("cafe\u0301 cafe\u0301 cafe\u0301", stored)).toBe(true);
  });

  test("A missing or unreadable hash does not verify", async () => {
    const passwords = createPasswords(cheap);
    for (const stored of [null, "", "plain", "$scrypt$ln=4,r=8,p=1$c2FsdA$c2hvcnQ"]) {
      expect(await passwords.verify("correct horse battery", stored)).toBe(false);
    }
  });

  test("A flood is refused while the waiting sign-ins are served", async () => {
    const passwords = createPasswords(cheap);
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify("anything", null)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(42);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "busy" });
    expect(await passwords.verify("anything", null)).toBe(false);
  });
});

describe("the rules for new passwords", () => {
  test.each([
    ["123456789", /at least 10 characters; this one has 9/],
    ["x".repeat(201), /at most 200/],
    ["Person@Example.com ", /must not be the e-mail/],
    ["\u{1f511}".repeat(9), /this one has 9/],
  ])("%j is refused", (password, problem) => {
    expect(findPasswordProblem(password, "person@example.com")).toMatch(problem);
  });

  test.each(["1234567890", "x".repeat(200), "\u{1f511}".repeat(10)])("%j is accepted", (password) => {
    expect(findPasswordProblem(password, "person@example.com")).toBeNull();
  });
});
