//+------------------------------------------------------------------+
//| Spotline.mq5: sends the ticks of this terminal to Spotline.      |
//| It does not trade. See README.md for the installation.           |
//+------------------------------------------------------------------+
#property copyright "Spotline"
#property version   "1.10"
#property description "Sends ticks and the economic calendar of this terminal to a Spotline server."
#property description "Add the server's URL in Tools > Options > Expert Advisors > Allow WebRequest for listed URL."

enum ENUM_SPOTLINE_SYMBOLS
  {
   MARKET_WATCH,     // all symbols of Market Watch
   LISTED            // the list below
  };

input string                Url             = "https://prices.example.com"; // URL of the Spotline server
input string                Token           = "";                           // Token of this terminal
input ENUM_SPOTLINE_SYMBOLS SymbolChoice    = MARKET_WATCH;                 // Which symbols
input string                SymbolList      = "";                           // List: EURUSD,GBPUSD
input int                   TimerMs         = 200;                          // Milliseconds between batches
input bool                  SendCalendar    = true;                         // Send the economic calendar

#define MAX_BATCH_TICKS   500      // ticks in one batch
#define MAX_RING_TICKS    50000    // ticks that wait for an acknowledgement
#define HEARTBEAT_MS      5000     // an empty batch after this silence
#define REQUEST_MS        5000     // how long one request may take
#define FIRST_PAUSE_MS    500      // the first pause after a failure; it doubles
#define LONGEST_PAUSE_MS  30000
#define MAX_SYMBOLS       2000     // symbols that are described
#define SYMBOLS_PER_BATCH 100      // descriptions in one batch
#define MAX_SESSIONS      10       // trading sessions of one symbol in one day
#define MAX_TEXT          200      // letters of a description or a path
#define BATCHES_PER_TIMER 5        // requests in one timer event: each blocks this program
#define CALENDAR_S        300      // seconds between two looks at the calendar
#define CALENDAR_DAYS     7        // days before and after now
#define CALENDAR_VALUES   1000     // values in one request

//--- One batch that is not acknowledged yet. Its text is built once, so that every resend is the same.
struct Batch
  {
   long   seq;
   int    ticks;
   long   made_gmt;
   string body;      // the part after the sending time
  };

Batch   ring[];
int     ringTicks     = 0;
long    dropped       = 0;
string  bootId        = "";
long    nextSeq       = 1;
string  watched[];          // symbols that are sent
long    lastMsc[];          // newest tick of each, trade-server milliseconds
bool    symbolsDue    = true;
ulong   lastSentAt    = 0;
ulong   pausedUntil   = 0;
int     pauseMs       = 0;
int     lastTrouble   = 0;
datetime calendarDueAt = 0;

//+------------------------------------------------------------------+
int OnInit()
  {
   if(StringLen(Token) < 20)
     {
      Print("Spotline: paste the token of this terminal into the input Token.");
      return(INIT_PARAMETERS_INCORRECT);
     }
   if(StringFind(Url, "http") != 0 || TimerMs < 50)
     {
      Print("Spotline: Url must begin with http:// or https://, and TimerMs be at least 50.");
      return(INIT_PARAMETERS_INCORRECT);
     }
   StartRun();
   if(!EventSetMillisecondTimer(TimerMs))
     {
      PrintFormat("Spotline: the timer could not be set, error %d.", GetLastError());
      return(INIT_FAILED);
     }
   PrintFormat("Spotline: sends to %s.", Url);
   return(INIT_SUCCEEDED);
  }

void OnDeinit(const int reason)
  {
   EventKillTimer();
   if(ArraySize(ring) > 0)
      PrintFormat("Spotline: ended with %d batches that were not acknowledged.", ArraySize(ring));
  }

void OnTick() {}

void OnTimer()
  {
   if(symbolsDue || (MathRand() % 50) == 0)
      UpdateSymbols();
   CollectTicks();
   SendBatches();
   if(SendCalendar && TimeGMT() >= calendarDueAt && ArraySize(ring) == 0)
     {
      calendarDueAt = TimeGMT() + CALENDAR_S;
      PushCalendar();
     }
  }

//+------------------------------------------------------------------+
//| Runs                                                             |
//+------------------------------------------------------------------+
//--- A run has an id that no other run has, and numbers its batches 1, 2, 3 ...
void StartRun()
  {
   MathSrand((int)(GetMicrosecondCount() ^ GetTickCount()));
   bootId = StringFormat("%I64d-%I64d-%d", AccountInfoInteger(ACCOUNT_LOGIN) % 1000, (long)TimeLocal(),
                         MathRand() * 32768 + MathRand());
   StringReplace(bootId, " ", "");
   nextSeq = 1;
  }

//--- The server has stored other ticks with this id: the waiting batches get a new one.
void RenewRun()
  {
   StartRun();
   for(int i = 0; i < ArraySize(ring); i++)
      ring[i].seq = nextSeq++;
   Print("Spotline: two programs had the same id; this one has taken another.");
  }

//+------------------------------------------------------------------+
//| Symbols                                                          |
//+------------------------------------------------------------------+
void UpdateSymbols()
  {
   string wanted[];
   if(SymbolChoice == LISTED)
     {
      int count = StringSplit(SymbolList, StringGetCharacter(",", 0), wanted);
      for(int i = 0; i < count; i++)
        {
         StringTrimLeft(wanted[i]);
         StringTrimRight(wanted[i]);
         if(!SymbolSelect(wanted[i], true) && symbolsDue)
            PrintFormat("Spotline: the broker has no symbol %s.", wanted[i]);
        }
     }
   else
     {
      int total = SymbolsTotal(true);
      ArrayResize(wanted, total);
      for(int i = 0; i < total; i++)
         wanted[i] = SymbolName(i, true);
     }
   string before[];
   long   beforeMsc[];
   ArrayCopy(before, watched);
   ArrayCopy(beforeMsc, lastMsc);
   int count = ArraySize(wanted);
   int added = 0;
   ArrayResize(watched, count);
   ArrayResize(lastMsc, count);
   for(int i = 0; i < count; i++)
     {
      bool isNew = true;
      watched[i] = wanted[i];
      lastMsc[i] = 0;
      for(int k = 0; k < ArraySize(before); k++)
         if(before[k] == wanted[i])
           {
            lastMsc[i] = beforeMsc[k];
            isNew = false;
            break;
           }
      if(isNew)
         added++;
     }
   if(count != ArraySize(before))
      PrintFormat("Spotline: sends %d symbols.", count);
   if(added > 0)
      QueueSymbols();
   symbolsDue = (count == 0);
  }

//--- Tells the server what each symbol is, in batches without ticks.
void QueueSymbols()
  {
   int total = MathMin(ArraySize(watched), MAX_SYMBOLS);
   for(int from = 0; from < total; from += SYMBOLS_PER_BATCH)
     {
      string list = "";
      int    to   = MathMin(from + SYMBOLS_PER_BATCH, total);
      for(int i = from; i < to; i++)
         list += (i == from ? "" : ",") + DescribeSymbol(watched[i]);
      Queue("", 0, ",\"symbols\":[" + list + "]");
     }
  }

//--- A symbol with its properties. Numbers are text, so that none loses digits.
string DescribeSymbol(const string symbol)
  {
   ENUM_SYMBOL_CALC_MODE calcMode = (ENUM_SYMBOL_CALC_MODE)SymbolInfoInteger(symbol, SYMBOL_TRADE_CALC_MODE);
   ENUM_SYMBOL_SWAP_MODE swapMode = (ENUM_SYMBOL_SWAP_MODE)SymbolInfoInteger(symbol, SYMBOL_SWAP_MODE);
   string text = "{\"s\":\"" + Escape(symbol) + "\"";
   text += StringFormat(",\"digits\":%d", (int)SymbolInfoInteger(symbol, SYMBOL_DIGITS));
   text += NumberProperty("point", SymbolInfoDouble(symbol, SYMBOL_POINT));
   text += TextProperty("description", SymbolInfoString(symbol, SYMBOL_DESCRIPTION));
   text += TextProperty("path", SymbolInfoString(symbol, SYMBOL_PATH));
   text += TextProperty("currency_base", SymbolInfoString(symbol, SYMBOL_CURRENCY_BASE));
   text += TextProperty("currency_profit", SymbolInfoString(symbol, SYMBOL_CURRENCY_PROFIT));
   text += TextProperty("currency_margin", SymbolInfoString(symbol, SYMBOL_CURRENCY_MARGIN));
   text += TextProperty("trade_calc_mode", EnumToString(calcMode));
   text += NumberProperty("trade_contract_size", SymbolInfoDouble(symbol, SYMBOL_TRADE_CONTRACT_SIZE));
   text += NumberProperty("volume_min", SymbolInfoDouble(symbol, SYMBOL_VOLUME_MIN));
   text += NumberProperty("volume_max", SymbolInfoDouble(symbol, SYMBOL_VOLUME_MAX));
   text += NumberProperty("volume_step", SymbolInfoDouble(symbol, SYMBOL_VOLUME_STEP));
   // Swaps in money or percent are other figures.
   if(swapMode == SYMBOL_SWAP_MODE_POINTS)
     {
      text += NumberProperty("swap_long", SymbolInfoDouble(symbol, SYMBOL_SWAP_LONG));
      text += NumberProperty("swap_short", SymbolInfoDouble(symbol, SYMBOL_SWAP_SHORT));
     }
   text += ",\"sessions\":[" + DescribeSessions(symbol) + "]";
   return(text + "}");
  }

//--- The trading sessions of each day from Sunday on, in the trade server's time: "00:05-12:00,13:00-24:00".
string DescribeSessions(const string symbol)
  {
   string days = "";
   for(int day = 0; day < 7; day++)
     {
      string   spans = "";
      datetime from  = 0;
      datetime to    = 0;
      for(uint k = 0; k < MAX_SESSIONS; k++)
        {
         if(!SymbolInfoSessionTrade(symbol, (ENUM_DAY_OF_WEEK)day, k, from, to))
            break;
         spans += (k == 0 ? "" : ",") + ClockText((long)from) + "-" + ClockText((long)to);
        }
      days += (day == 0 ? "\"" : ",\"") + spans + "\"";
     }
   return(days);
  }

//--- Seconds since midnight as hours and minutes; the end of a day is 24:00.
string ClockText(const long seconds)
  {
   return(StringFormat("%02d:%02d", (int)(seconds / 3600), (int)(seconds % 3600 / 60)));
  }

string TextProperty(const string name, const string value)
  {
   return(",\"" + name + "\":\"" + Escape(StringSubstr(value, 0, MAX_TEXT)) + "\"");
  }

string NumberProperty(const string name, const double value)
  {
   return(",\"" + name + "\":\"" + DoubleToString(value, 10) + "\"");
  }

//+------------------------------------------------------------------+
//| Ticks                                                            |
//+------------------------------------------------------------------+
void CollectTicks()
  {
   string ticks = "";
   int    count = 0;
   for(int i = 0; i < ArraySize(watched); i++)
     {
      MqlTick found[];
      int got;
      if(lastMsc[i] == 0)
        {
         // The newest tick alone: what was before this program started is not sent.
         MqlTick newest;
         if(!SymbolInfoTick(watched[i], newest) || newest.time_msc <= 0)
            continue;
         ArrayResize(found, 1);
         found[0] = newest;
         got = 1;
        }
      else
         got = CopyTicks(watched[i], found, COPY_TICKS_INFO, (ulong)(lastMsc[i] + 1), 2000);
      int digits = (int)SymbolInfoInteger(watched[i], SYMBOL_DIGITS);
      for(int k = 0; k < got; k++)
        {
         if(found[k].time_msc > lastMsc[i])
            lastMsc[i] = found[k].time_msc;
         if(found[k].bid <= 0 || found[k].ask <= 0)
            continue;
         ticks += StringFormat("%s{\"s\":\"%s\",\"b\":\"%s\",\"a\":\"%s\",\"t\":%I64d}", count == 0 ? "" : ",",
                               Escape(watched[i]), DoubleToString(found[k].bid, digits),
                               DoubleToString(found[k].ask, digits), found[k].time_msc);
         count++;
         if(count >= MAX_BATCH_TICKS)
           {
            Queue(ticks, count, "");
            ticks = "";
            count = 0;
           }
        }
     }
   bool isSilent = GetTickCount64() - lastSentAt >= HEARTBEAT_MS && ArraySize(ring) == 0;
   if(count > 0 || isSilent)
      Queue(ticks, count, "");
  }

//--- Adds a batch. If the server was away for too long, the oldest batches are dropped: it sees the gap.
void Queue(const string ticks, const int count, const string more)
  {
   while(ringTicks + count > MAX_RING_TICKS && ArraySize(ring) > 0)
     {
      if(dropped++ % 100 == 0)
         Print("Spotline: too many ticks wait for the server; the oldest are dropped.");
      RemoveFirst();
     }
   int last = ArraySize(ring);
   if(ArrayResize(ring, last + 1, 1000) < 0)
      return;
   ring[last].seq      = nextSeq++;
   ring[last].ticks    = count;
   ring[last].made_gmt = (long)TimeGMT();
   ring[last].body     = ",\"broker\":\"" + Escape(AccountInfoString(ACCOUNT_SERVER)) + "\",\"ticks\":[" + ticks + "]" + more;
   ringTicks += count;
  }

void RemoveFirst()
  {
   if(ArraySize(ring) == 0)
      return;
   ringTicks -= ring[0].ticks;
   ArrayRemove(ring, 0, 1);
  }

//+------------------------------------------------------------------+
//| Sending                                                          |
//+------------------------------------------------------------------+
void SendBatches()
  {
   for(int i = 0; i < BATCHES_PER_TIMER && ArraySize(ring) > 0; i++)
     {
      if(GetTickCount64() < pausedUntil)
         return;
      string body = StringFormat("{\"boot_id\":\"%s\",\"seq\":%I64d,\"sent_gmt\":%I64d,\"made_gmt\":%I64d", bootId,
                                 ring[0].seq, (long)TimeGMT(), ring[0].made_gmt) + ring[0].body + "}";
      string answer = "";
      int    status = Post("/ingest/v1/mt5/ticks", body, answer);
      lastSentAt = GetTickCount64();
      if(status == 200 && StringFind(answer, StringFormat("\"ack\":%I64d,", ring[0].seq)) >= 0)
        {
         RemoveFirst();
         pauseMs = 0;
         if(lastTrouble != 0)
            Print("Spotline: the server accepts batches again.");
         lastTrouble = 0;
         if(StringFind(answer, "\"warning\"") >= 0)
            Explain(-2, answer);
         continue;
        }
      if(status == 422)
        {
         RenewRun();
         return;
        }
      Explain(status, answer);
      // A batch that the server refuses as it is would block all later ones.
      if(status == 400 || status == 413)
         RemoveFirst();
      pauseMs     = pauseMs == 0 ? FIRST_PAUSE_MS : MathMin(2 * pauseMs, LONGEST_PAUSE_MS);
      pausedUntil = GetTickCount64() + pauseMs;
      return;
     }
  }

//--- Sends a body. Returns the HTTP status, or minus the error of MetaTrader.
int Post(const string path, const string body, string &answer)
  {
   string base = Url;
   while(StringLen(base) > 0 && StringGetCharacter(base, StringLen(base) - 1) == '/')
      base = StringSubstr(base, 0, StringLen(base) - 1);
   uchar data[];
   uchar result[];
   string resultHeaders = "";
   int length = StringToCharArray(body, data, 0, WHOLE_ARRAY, CP_UTF8);
   // Without the zero byte at the end of a text.
   if(length > 0 && data[length - 1] == 0)
      ArrayResize(data, length - 1);
   string headers = "Content-Type: application/json\r\nX-Ingest-Token: " + Token + "\r\n";
   ResetLastError();
   int status = WebRequest("POST", base + path, headers, REQUEST_MS, data, result, resultHeaders);
   if(status < 0)
      return(-GetLastError());
   answer = CharArrayToString(result, 0, WHOLE_ARRAY, CP_UTF8);
   return(status);
  }

//--- Writes each kind of trouble to the journal once, until it is over. The token is never written.
void Explain(const int status, const string answer)
  {
   if(status == lastTrouble)
      return;
   lastTrouble = status;
   if(status == -4014 || status == -4060)
      PrintFormat("Spotline: MetaTrader does not allow %s. Add it in Tools > Options > Expert Advisors > Allow WebRequest for listed URL.", Url);
   else if(status == -5200)
      PrintFormat("Spotline: %s is not a valid URL.", Url);
   else if(status == -5201)
      PrintFormat("Spotline: no connection to %s. Is the server running, and the address right?", Url);
   else if(status == -5202)
      PrintFormat("Spotline: %s did not answer in time.", Url);
   else if(status == -5203)
      PrintFormat("Spotline: the request to %s failed. Check the certificate and a proxy between.", Url);
   else if(status < 0 && status != -2)
      PrintFormat("Spotline: error %d of WebRequest.", -status);
   else if(status == -2)
      PrintFormat("Spotline: the server warns: %s", answer);
   else if(status == 401)
      Print("Spotline: the server does not know this token. Create one on its page MetaTrader.");
   else if(status == 1001 || status == 503)
      Print("Spotline: the server is not ready, or does not record; batches are kept and sent again.");
   else
      PrintFormat("Spotline: the server answered %d: %s", status, StringSubstr(answer, 0, 300));
  }

//+------------------------------------------------------------------+
//| Calendar                                                         |
//+------------------------------------------------------------------+
void PushCalendar()
  {
   MqlCalendarValue values[];
   datetime now = TimeTradeServer();
   if(!CalendarValueHistory(values, now - CALENDAR_DAYS * 86400, now + CALENDAR_DAYS * 86400))
     {
      PrintFormat("Spotline: the calendar cannot be read, error %d.", GetLastError());
      return;
     }
   // The calendar has the times of the trade server; its offset has quarters of an hour.
   long offset = (long)MathRound((double)((long)TimeTradeServer() - (long)TimeGMT()) / 900.0) * 900;
   int total = ArraySize(values);
   for(int from = 0; from < total; from += CALENDAR_VALUES)
     {
      string events = "";
      string rows   = "";
      ulong  seen[];
      int    to = MathMin(from + CALENDAR_VALUES, total);
      int    sent = 0;
      for(int i = from; i < to; i++)
        {
         MqlCalendarEvent   event;
         MqlCalendarCountry country;
         if(!CalendarEventById(values[i].event_id, event) || !CalendarCountryById(event.country_id, country))
            continue;
         if(StringLen(country.currency) != 3)
            continue;
         bool isSeen = false;
         for(int k = 0; k < ArraySize(seen) && !isSeen; k++)
            isSeen = (seen[k] == values[i].event_id);
         if(!isSeen)
           {
            int last = ArraySize(seen);
            ArrayResize(seen, last + 1, 200);
            seen[last] = values[i].event_id;
            events += StringFormat("%s{\"id\":\"%I64u\",\"name\":\"%s\",\"currency\":\"%s\",\"importance\":%d,\"time_mode\":%d,\"unit\":%d,\"multiplier\":%d,\"digits\":%d,\"frequency\":%d,\"source_url\":\"%s\"}",
                                   events == "" ? "" : ",", event.id, Escape(event.name), country.currency,
                                   (int)event.importance, (int)event.time_mode, (int)event.unit,
                                   (int)event.multiplier, (int)event.digits, (int)event.frequency,
                                   Escape(event.source_url));
           }
         rows += StringFormat("%s{\"id\":\"%I64u\",\"event_id\":\"%I64u\",\"time\":%I64d,\"actual_value\":\"%I64d\",\"prev_value\":\"%I64d\",\"revised_prev_value\":\"%I64d\",\"forecast_value\":\"%I64d\"}",
                              sent == 0 ? "" : ",", values[i].id, values[i].event_id, (long)values[i].time,
                              values[i].actual_value, values[i].prev_value, values[i].revised_prev_value,
                              values[i].forecast_value);
         sent++;
        }
      if(sent == 0)
         continue;
      string body = StringFormat("{\"server\":\"%s\",\"utc_offset_s\":%I64d,\"events\":[",
                                 Escape(AccountInfoString(ACCOUNT_SERVER)), offset) + events + "],\"values\":[" + rows + "]}";
      string answer = "";
      int status = Post("/ingest/v1/mt5/calendar", body, answer);
      if(status != 200)
        {
         PrintFormat("Spotline: the calendar was not accepted (%d); it is sent again later.", status);
         return;
        }
     }
  }

//--- A text as it may stand in JSON.
string Escape(const string text)
  {
   string result = text;
   StringReplace(result, "\\", "\\\\");
   StringReplace(result, "\"", "\\\"");
   for(int i = 0; i < StringLen(result); i++)
      if(StringGetCharacter(result, i) < 32)
         StringSetCharacter(result, i, ' ');
   return(result);
  }
//+------------------------------------------------------------------+
