import { addAccount, expect, PASSWORD, signIn, submitAccount, test, TRADER } from "@/e2e/journeys/fixtures";
import { withAccess } from "@/e2e/support/access";

const MEMBER = "grows@example.com";

test("An account asks for another plan without JavaScript, and the operator declines and approves", async ({
  browser,
  context: own,
  spotline,
}) => {
  test.setTimeout(180_000);
  // A session of its own, which no other journey has confirmed.
  const operator = await signIn(own, spotline, TRADER);
  // Another journey leaves a request open.
  await withAccess(spotline.place, ({ database }) => database.prisma.planRequest.deleteMany());
  await addAccount(spotline, MEMBER);
  const context = await browser.newContext({ baseURL: spotline.url, javaScriptEnabled: false });
  const member = await context.newPage();
  await member.goto("/sign-in");
  await submitAccount(member, MEMBER, PASSWORD);

  const ask = async (plan: string, message: string) => {
    await member.goto("/plan");
    await member.getByLabel("Plan", { exact: true }).selectOption(plan);
    await member.getByLabel("Message, optional").fill(message);
    await member.getByRole("button", { name: "Request plan" }).click();
  };
  const request = member.getByRole("region", { name: "Request another plan" });
  await ask("pro", "For the new desk");
  await expect(request).toContainText(/You asked for the Pro plan.*For the new desk/);
  await member.getByRole("button", { name: "Withdraw request" }).click();
  await ask("enterprise", "All symbols");

  await operator.goto("/operator/plan-requests");
  const open = operator.getByRole("region", { name: MEMBER });
  await expect(open).toContainText(/From Free to Enterprise.*All symbols/);
  await open.getByText("Decline with a reason").click();
  await open.getByLabel("Reason").fill("Too large for a start");
  await open.getByRole("button", { name: /^Decline/ }).click();
  await expect(operator.getByText("No open requests")).toBeVisible();
  await member.goto("/plan");
  await expect(request).toContainText(/Enterprise plan was declined.*Too large for a start/);

  await ask("starter", "");
  await operator.reload();
  await operator.getByLabel("Your password").fill(PASSWORD);
  await operator.getByRole("button", { name: `Approve the request of ${MEMBER}` }).click();
  await expect(operator.getByText("No open requests")).toBeVisible();
  await member.goto("/plan");
  await expect(member.getByRole("main")).toContainText(/Your plan\s*Starter/);
  // Notices are written later, in any order if they are written together.
  await expect(async () => {
    await member.goto("/notices");
    await expect(member.getByText("Your account is on the Starter plan")).not.toHaveCount(0, { timeout: 500 });
    await expect(member.getByText("Enterprise plan was declined")).not.toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await operator.goto("/notices");
  await expect(operator.getByRole("main")).toContainText(`${MEMBER} asks for the Pro plan`);
  await context.close();
});
