-- A key can be switched off and on again, be replaced by another, and tells where it was last used.
ALTER TABLE "api_key"
    ADD COLUMN "disabled_at" TIMESTAMPTZ(3),
    ADD COLUMN "replaces_id" UUID,
    ADD COLUMN "replaced_by_id" UUID,
    ADD COLUMN "last_used_from" TEXT,
    ADD COLUMN "last_used_endpoint" TEXT,
    ADD COLUMN "last_used_status" SMALLINT;

-- Every change to accounts and keys, chained by hashes; see lib/access/audit-chain.ts.
CREATE TABLE "audit_event" (
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID,
    "address" TEXT,
    "before" JSONB,
    "after" JSONB,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("seq")
);

CREATE INDEX "audit_event_account_id_seq_idx" ON "audit_event"("account_id", "seq");

CREATE INDEX "audit_event_key_id_seq_idx" ON "audit_event"("key_id", "seq");

-- What has been written down stays. Whoever may drop this trigger can still be found out: by the chain.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit log can only be added to.' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "audit_event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_event"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
