import { type Action, atPath, getPassword, matching, type Scene } from "@/e2e/process/action-scene";

/** Every server action of the page of alerts, and the way to its form. */

// A level that the price does not reach.
const NEW_ALERT = { kind: "price", symbol: "EURUSD", level: "2.5" };
const NEW_WEBHOOK = { name: "Desk", url: "https://hooks.example/alerts", ...getPassword() };

async function createAlert({ people, target, found }: Scene): Promise<void> {
  await target.browser.submit("/alerts", /Create alert/, NEW_ALERT);
  found.id = (await people.database.prisma.alert.findFirstOrThrow({ where: { accountId: target.id } })).id;
}

async function createWebhook({ target }: Scene): Promise<void> {
  await target.browser.submit("/alerts", /Add webhook/, NEW_WEBHOOK);
}

const NEW_DEVICE = {
  ...{ id: "abc", endpoint: "https://push.example/abc", name: "Phone", auth: "BTBZMqHH6r4Tts7J_aSIgg" },
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
};

async function addDevice({ target }: Scene): Promise<void> {
  await target.browser.submit("/alerts", /Add this device/, NEW_DEVICE);
}

const page = { by: "owner", path: atPath("/alerts") } as const;

export const alertActions: readonly Action[] = [
  { ...page, action: "createAlert", words: matching(/Create alert/), values: () => NEW_ALERT, event: "alert.create" },
  {
    ...page,
    action: "editAlert",
    arrange: createAlert,
    path: ({ found }) => `/alerts?edit=${found.id}`,
    words: matching(/Save alert/),
    // The form client sends the first option of no list.
    values: () => ({ ...NEW_ALERT, level: "2.6" }),
    event: "alert.update",
  },
  { ...page, action: "pauseAlert", arrange: createAlert, words: matching(/Pause/), event: "alert.update" },
  {
    ...page,
    action: "resumeAlert",
    async arrange(scene) {
      await createAlert(scene);
      await scene.target.browser.submit("/alerts", /Pause/, {});
    },
    words: matching(/Resume/),
    event: "alert.update",
  },
  {
    ...page,
    action: "deleteAlert",
    arrange: createAlert,
    path: ({ found }) => `/alerts?edit=${found.id}`,
    words: matching(/Delete alert/),
    event: "alert.delete",
  },
  {
    ...page,
    action: "createWebhook",
    words: matching(/Add webhook/),
    values: () => NEW_WEBHOOK,
    event: "webhook.create",
  },
  { ...page, action: "testWebhook", arrange: createWebhook, words: matching(/Send test/), event: null },
  {
    ...page,
    action: "deleteWebhook",
    arrange: createWebhook,
    words: matching(/Delete webhook/),
    event: "webhook.delete",
  },
  {
    ...page,
    action: "addDevice",
    words: matching(/Add this device/),
    values: () => NEW_DEVICE,
    event: "device.create",
  },
  { ...page, action: "testDevice", arrange: addDevice, words: matching(/Send test/), event: null },
  { ...page, action: "removeDevice", arrange: addDevice, words: matching(/Remove/), event: "device.delete" },
];
