export { POST_FILES as POST } from "@/features/imports/upload-routes";
