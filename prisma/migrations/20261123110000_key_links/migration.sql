-- Addresses with a token in place of a key, for one table or for charts; see lib/access/links/links.ts.
CREATE TABLE "key_link" (
    "id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revision" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "key_link_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "key_link_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "key_link_key_id_idx" ON "key_link"("key_id");
CREATE INDEX "key_link_revision_idx" ON "key_link"("revision");
