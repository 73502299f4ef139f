import { randomUUID } from "node:crypto";
import {
  type Action,
  askForPro,
  atPath,
  disable,
  getPassword,
  matching,
  revoke,
  type Scene,
} from "@/e2e/process/action-scene";

/** Every server action of the operator, and the way to its form. */

const toAnyKeyPage = ({ keyId }: Scene) => `/operator/keys/${keyId}`;
const toAccountPage = ({ target }: Scene) => `/operator/accounts/${target.id}`;
async function invite({ sender, target, people, found }: Scene): Promise<void> {
  found.email = `guest-of-${target.email}`;
  await sender.browser.submit("/operator/invitations", /Create invitation/, {
    email: found.email,
    plan: "free",
    ...getPassword(),
  });
  await people.database.prisma.invitation.findFirstOrThrow({ where: { email: found.email } });
}

async function connectTerminal({ sender, found }: Scene): Promise<void> {
  found.source = `old-${randomUUID()}`;
  await sender.browser.submit("/operator/terminals", /Create token/, { source: found.source, ...getPassword() });
}

/** An import in a state, whose plan suggests a zone. No file of it is there, so that no process works on it. */
const arrangeImport =
  (state: string) =>
  async ({ people, found }: Scene): Promise<void> => {
    const series = { symbol: "EURUSD", source: "csv", format: "csv", zone: "UTC", timeframe: null, digits: 5 };
    const reasons = {
      symbol_reason: "given",
      zone_reason: "given",
      timeframe_reason: null,
      columns: {},
      assumptions: [],
    };
    const counts = {
      rows: 1,
      accepted: 1,
      added: 1,
      gaps: 0,
      moved: 0,
      without_volume: 0,
      error_count: 0,
      file_count: 1,
    };
    const lists = { files: ["eurusd.csv"], refused: {}, first_rows: [], errors: [], from: null, to: null, shape: null };
    const suggestions = ["Europe/Athens"];
    const check = { state: "differs", weekends: 2, fitting: 0, suggestions, hasOffsets: false };
    const all = [{ ...series, ...reasons, ...counts, ...lists, check }];
    const left = { left_out: [], left_out_count: 0, more_series: 0, added_instruments: [], failed: 0, known: 0 };
    found.id = randomUUID();
    await people.database.pool.query(
      `INSERT INTO import_run (id, by_command, state, files, file_count, bytes, options, summary)
       VALUES ($1, FALSE, $2, '[{"path": "eurusd.csv", "bytes": 1, "modifiedMs": 0}]', 1, 1, '{}', $3)`,
      [found.id, state, JSON.stringify({ ...left, rows: 1, accepted: 1, added: 1, series: all })],
    );
  };
const toImportPage = ({ found }: Scene) => `/operator/import/${found.id}`;

export const operatorActions: readonly Action[] = [
  {
    action: "setPlan",
    by: "operator",
    path: toAccountPage,
    words: matching(/Change plan/),
    values: () => ({ plan: "pro", ...getPassword() }),
    event: "account.set_plan",
  },
  {
    action: "setLimits",
    by: "operator",
    path: toAccountPage,
    words: matching(/Save limits/),
    values: () => ({ perMinute: "77", perDay: "none", ...getPassword() }),
    event: "account.set_limits",
  },
  {
    action: "suspendAccount",
    by: "operator",
    path: toAccountPage,
    words: matching(/Suspend account/),
    values: () => ({ reason: "unpaid", ...getPassword() }),
    event: "account.suspend",
  },
  {
    action: "resumeAccount",
    by: "operator",
    async arrange(scene) {
      await scene.sender.browser.submit(toAccountPage(scene), /Suspend account/, {
        reason: "unpaid",
        ...getPassword(),
      });
    },
    path: toAccountPage,
    words: matching(/Resume account/),
    values: getPassword,
    event: "account.resume",
  },
  {
    action: "closeAccount",
    by: "operator",
    path: toAccountPage,
    words: matching(/Close account for good/),
    values: ({ target }) => ({ typed: target.email, ...getPassword() }),
    event: "account.close",
  },
  { action: "disableAnyKey", by: "operator", path: toAnyKeyPage, words: matching(/Disable key/), event: "key.disable" },
  {
    action: "enableAnyKey",
    by: "operator",
    arrange: disable,
    path: toAnyKeyPage,
    words: matching(/Enable key/),
    values: getPassword,
    event: "key.enable",
  },
  {
    action: "revokeAnyKey",
    by: "operator",
    path: toAnyKeyPage,
    words: matching(/Revoke key/),
    values: getPassword,
    event: "key.revoke",
  },
  {
    action: "restoreAnyKey",
    by: "operator",
    arrange: revoke,
    path: toAnyKeyPage,
    words: matching(/Undo/),
    values: getPassword,
    event: "key.restore",
  },
  {
    action: "approvePlanRequest",
    by: "operator",
    arrange: ({ target }) => askForPro(target),
    path: atPath("/operator/plan-requests"),
    words: ({ target }) => new RegExp(`Approve.*${target.email}`),
    values: getPassword,
    event: "account.set_plan",
  },
  {
    action: "declinePlanRequest",
    by: "operator",
    arrange: ({ target }) => askForPro(target),
    path: atPath("/operator/plan-requests"),
    words: ({ target }) => new RegExp(`Decline.*${target.email}`),
    values: () => ({ reason: "Unpaid" }),
    event: "plan_request.decline",
  },
  {
    action: "createInvitation",
    by: "operator",
    path: atPath("/operator/invitations"),
    words: matching(/Create invitation/),
    values: ({ target }) => ({ email: `friend-of-${target.email}`, plan: "free", ...getPassword() }),
    event: null,
  },
  {
    action: "removeInvitation",
    by: "operator",
    arrange: invite,
    path: atPath("/operator/invitations"),
    words: ({ found }) => new RegExp(`the invitation for ${found.email}`),
    event: null,
  },
  {
    action: "createTerminal",
    by: "operator",
    path: atPath("/operator/terminals"),
    words: matching(/Create token/),
    values: () => ({ source: `new-${randomUUID()}`, ...getPassword() }),
    event: null,
  },
  {
    action: "endTerminal",
    by: "operator",
    arrange: connectTerminal,
    path: atPath("/operator/terminals"),
    words: ({ found }) => new RegExp(`the token of ${found.source}`),
    event: null,
  },
  {
    action: "pauseSource",
    by: "operator",
    path: atPath("/operator/feeds"),
    words: matching(/Pause alpha-markets/),
    event: null,
  },
  {
    action: "resumeSource",
    by: "operator",
    async arrange({ people }) {
      await people.database.pool.query(
        "INSERT INTO paused_source VALUES ('borealis-fx', now()) ON CONFLICT DO NOTHING",
      );
    },
    path: atPath("/operator/feeds"),
    words: matching(/Resume borealis-fx/),
    event: null,
  },
  {
    action: "aliasSpelling",
    by: "operator",
    path: atPath("/operator/feeds"),
    words: matching(/Add alias/),
    values: () => ({ spelling: "XTEST", symbol: "gold" }),
    event: null,
  },
  {
    action: "addInstruments",
    by: "operator",
    path: atPath("/operator/feeds"),
    words: matching(/Add to the catalog/),
    values: () => ({ spelling: `XNEW${randomUUID().slice(0, 8)}` }),
    event: null,
  },
  {
    action: "unaliasSpelling",
    by: "operator",
    async arrange({ people }) {
      await people.database.pool.query(
        "INSERT INTO source_alias VALUES ('cobalt-prime', 'OLD', 'EURUSD', now()) ON CONFLICT DO NOTHING",
      );
    },
    path: atPath("/operator/feeds"),
    words: matching(/Remove the alias OLD/),
    event: null,
  },
  {
    action: "planImport",
    by: "operator",
    arrange: arrangeImport("planned"),
    path: toImportPage,
    words: matching(/Check again/),
    values: () => ({ zone: "Europe/Athens" }),
    event: null,
  },
  {
    action: "takeSuggestion",
    by: "operator",
    arrange: arrangeImport("planned"),
    path: toImportPage,
    words: matching(/Zone Europe\/Athens/),
    event: null,
  },
  {
    action: "startImport",
    by: "operator",
    arrange: arrangeImport("planned"),
    path: toImportPage,
    words: matching(/Import$/),
    values: getPassword,
    event: null,
  },
  {
    action: "stopImport",
    by: "operator",
    arrange: arrangeImport("queued"),
    path: toImportPage,
    words: matching(/^Stop$/),
    event: null,
  },
  {
    action: "undoImport",
    by: "operator",
    async arrange(scene) {
      await arrangeImport("done")(scene);
      await scene.people.database.pool.query("INSERT INTO import_undo VALUES ($1, 'EURUSD', 1, 0, 'csv', NULL, 1, 1)", [
        scene.found.id,
      ]);
    },
    path: toImportPage,
    words: matching(/Undo the import/),
    event: null,
  },
  {
    action: "discardImport",
    by: "operator",
    arrange: arrangeImport("planned"),
    path: toImportPage,
    words: matching(/^Discard$/),
    event: null,
  },
];
