export { GET_RECEIVED as GET, POST_COMPLETE as POST, PUT_PIECE as PUT } from "@/features/imports/upload-routes";
