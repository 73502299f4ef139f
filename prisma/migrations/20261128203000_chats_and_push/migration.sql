-- What a webhook speaks. The secret of a chat is the token of its bot, or its address.
CREATE TYPE webhook_kind AS ENUM ('signed', 'telegram', 'discord', 'slack');

ALTER TABLE webhook
    ADD COLUMN kind webhook_kind NOT NULL DEFAULT 'signed',
    ADD COLUMN chat TEXT;

-- Browsers that receive alerts while no page is open.
CREATE TABLE push_device (
    id UUID NOT NULL,
    account_id UUID NOT NULL,
    name TEXT NOT NULL,
    host TEXT NOT NULL,
    endpoint_hash TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT push_device_pkey PRIMARY KEY (id),
    CONSTRAINT push_device_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX push_device_endpoint_hash_key ON push_device (endpoint_hash);
CREATE INDEX push_device_account_id_idx ON push_device (account_id);

ALTER TYPE alert_channel ADD VALUE 'push';

ALTER TABLE alert ADD COLUMN by_push BOOLEAN NOT NULL DEFAULT false;

-- One delivery to each device.
ALTER TABLE alert_delivery
    ADD COLUMN device_id UUID,
    ADD CONSTRAINT alert_delivery_device_id_fkey FOREIGN KEY (device_id) REFERENCES push_device (id)
        ON DELETE SET NULL ON UPDATE CASCADE;

DROP INDEX alert_delivery_firing_id_channel_key;
CREATE INDEX alert_delivery_firing_id_idx ON alert_delivery (firing_id);
CREATE INDEX alert_delivery_device_id_idx ON alert_delivery (device_id);
