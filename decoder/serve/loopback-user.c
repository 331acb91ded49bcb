/* loopback-user.c -- queries the kernel by a netlink socket for one connection (sock_diag(7)).
 * /proc/net/tcp states the same, but lists all connections each time, which another user can make
 * many. */
#include "config.h"

#include "decoder/serve/http.h"
#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
  struct nlmsghdr head;
  struct inet_diag_req_v2 body;
};

struct answer {
  struct nlmsghdr head;
  struct inet_diag_msg body;
};

uid_t
loopback_user (unsigned from, unsigned to)
{
  struct request request
      = { .head = { .nlmsg_len = sizeof request,
                    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                    .nlmsg_flags = NLM_F_REQUEST },
          .body = { .sdiag_family = AF_INET,
                    .sdiag_protocol = IPPROTO_TCP,
                    .idiag_states = ~0U,
                    .id = { .idiag_sport = htons ((uint16_t) from),
                            .idiag_dport = htons ((uint16_t) to),
                            .idiag_src = { htonl (INADDR_LOOPBACK) },
                            .idiag_dst = { htonl (INADDR_LOOPBACK) },
                            .idiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE } } } };
  struct answer answer;
  char bytes[4096];
  uid_t user = LOOPBACK_NOBODY;
  const int fd = socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (fd < 0)
    return user;
  if (send (fd, &request, sizeof request, 0) == (ssize_t) sizeof request) {
    const ssize_t n = recv (fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n >= (ssize_t) sizeof answer) {
      memcpy (&answer, bytes, sizeof answer);
      if (answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY)
        user = answer.body.idiag_uid;
    }
  }
  close (fd);
  return user;
}
