import type { Page } from "@playwright/test";
import { expect } from "@/e2e/journeys/fixtures";
import { joinServer } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { type AlertSettings, createAlerts } from "@/lib/alerts/alerts";
import { systemClock } from "@/lib/platform/timing/clock";

export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
export const FAR = { type: "price", symbol: "EURUSD", level: 2.5, direction: "up", price: "bid" } as const;

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
export const notices = (page: Page) => page.getByRole("status", { name: "Alerts" });
export const row = (page: Page, name: string) =>
  page.getByRole("table", { name: "Alerts" }).getByRole("row").filter({ hasText: name });

/** Creates alerts of an account, which its pages show from their next load on. */
export async function addAlerts(
  { place }: Spotline,
  email: string,
  all: readonly Partial<AlertSettings>[],
): Promise<void> {
  const database = await joinServer(place);
  try {
    const { id: accountId } = await database.prisma.account.findFirstOrThrow({ where: { email } });
    const alerts = createAlerts(database, {
      now: systemClock,
      book: { served: () => undefined },
      listSources: () => [],
    });
    const usual = {
      name: "",
      condition: FAR,
      cooldownS: null,
      active: true,
      webhookId: null,
      byMail: false,
      byPush: false,
    };
    const caller = { by: { kind: "owner", accountId }, reader: { role: "operator", plan: "pro" } } as const;
    for (const each of all) await alerts.create({ ...usual, ...each }, caller);
  } finally {
    await database.close();
  }
}

/** Stores a firing of an account's alert, as the engine does. */
export async function fire({ place }: Spotline, email: string, message: string): Promise<void> {
  const database = await joinServer(place);
  try {
    const { rowCount } = await database.pool.query(
      `WITH fired AS (
         UPDATE alert SET firings = firings + 1, last_fired_at = now()
           FROM account WHERE account_id = account.id AND email = $1 RETURNING account_id, alert.id)
       INSERT INTO alert_firing (id, account_id, alert_id, key, at, message, body)
       SELECT gen_random_uuid(), account_id, id, $2, now(), $2, '{}' FROM fired`,
      [email, message],
    );
    expect(rowCount).toBe(1);
  } finally {
    await database.close();
  }
}
