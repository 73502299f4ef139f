-- The id of the secret key of an event's hash. Null for events of earlier versions, whose hash has no key.
ALTER TABLE "audit_event" ADD COLUMN "hash_key" TEXT;
