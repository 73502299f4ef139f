/** Where charts read in the UDF protocol of TradingView; also the path of links for them. */
export const UDF_PATH = "/udf";
