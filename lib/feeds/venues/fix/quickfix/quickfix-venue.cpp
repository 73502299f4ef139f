// A venue of market data with the engine of the QuickFIX project, for quickfix.process.test.ts, so that the client is also
// tested against rules that others have written. Its arguments are the port and the dictionary. It reads one command a
// line:
//   price BID OFFER  sends a snapshot of every symbol that was subscribed to
//   skip             leaves out the number of a message
//   logout TEXT      logs out
// It writes one line for each event, and ends with its input.
#include <arpa/inet.h>
#include <quickfix/Application.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>
#include <quickfix/fix44/MarketDataRequest.h>
#include <quickfix/fix44/MarketDataSnapshotFullRefresh.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

// The engine would listen on every address; a test may listen on this machine's own only.
extern "C" int bind(int socket, const sockaddr* address, socklen_t length) {
  sockaddr_in local = *reinterpret_cast<const sockaddr_in*>(address);
  local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return syscall(SYS_bind, socket, &local, length);
}

static std::mutex output;

static void report(const std::string& line) {
  std::lock_guard<std::mutex> lock(output);
  std::cout << line << std::endl;
}

class Venue : public FIX::Application {
 public:
  FIX::SessionID session;

  void onCreate(const FIX::SessionID& id) { session = id; }
  void onLogon(const FIX::SessionID&) { report("logged on"); }
  void onLogout(const FIX::SessionID&) { report("logged out"); }
  void toAdmin(FIX::Message&, const FIX::SessionID&) {}
  void toApp(FIX::Message&, const FIX::SessionID&) throw(FIX::DoNotSend) {}

  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) {
    const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
    report("received " + type);
    if (type == "A" && message.getField(FIX::FIELD::Password) != "secret") {
      throw FIX::RejectLogon("Invalid username or password");
    }
  }

  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) {
    if (message.getHeader().getField(FIX::FIELD::MsgType) != "V") throw FIX::UnsupportedMessageType();
    FIX44::MarketDataRequest::NoRelatedSym group;
    message.getGroup(1, group);
    const std::string symbol = group.getField(FIX::FIELD::Symbol);
    std::lock_guard<std::mutex> lock(output);
    symbols.push_back(symbol);
    std::cout << "subscribed " << symbol << std::endl;
  }

  void sendPrices(double bid, double offer) {
    for (const std::string& symbol : symbols) {
      FIX44::MarketDataSnapshotFullRefresh message;
      message.set(FIX::Symbol(symbol));
      addEntry(message, FIX::MDEntryType_BID, bid);
      addEntry(message, FIX::MDEntryType_OFFER, offer);
      FIX::Session::sendToTarget(message, session);
    }
  }

 private:
  std::vector<std::string> symbols;

  static void addEntry(FIX44::MarketDataSnapshotFullRefresh& message, char type, double price) {
    FIX44::MarketDataSnapshotFullRefresh::NoMDEntries entry;
    entry.set(FIX::MDEntryType(type));
    entry.set(FIX::MDEntryPx(price));
    entry.set(FIX::MDEntryDate(FIX::UtcDateOnly()));
    entry.set(FIX::MDEntryTime(FIX::UtcTimeOnly()));
    message.addGroup(entry);
  }
};

int main(int, char** arguments) {
  std::istringstream text(
      "[DEFAULT]\nConnectionType=acceptor\nStartTime=00:00:00\nEndTime=00:00:00\n"
      "[SESSION]\nBeginString=FIX.4.4\nSenderCompID=VENUE\nTargetCompID=SPOTLINE\nSocketAcceptPort=" +
      std::string(arguments[1]) + "\nDataDictionary=" + arguments[2] + "\n");
  const FIX::SessionSettings settings(text);
  Venue venue;
  FIX::MemoryStoreFactory stores;
  FIX::SocketAcceptor acceptor(venue, stores, settings);
  acceptor.start();
  report("ready");
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    double bid = 0, offer = 0;
    words >> command >> bid >> offer;
    FIX::Session* session = FIX::Session::lookupSession(venue.session);
    if (command == "price") venue.sendPrices(bid, offer);
    if (command == "skip") session->setNextSenderMsgSeqNum(session->getExpectedSenderNum() + 1);
    if (command == "logout") session->logout(line.substr(7));
  }
  acceptor.stop(true);
}
