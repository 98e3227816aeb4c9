/* Credentials, encoded once by libtirpc's authentication code. */
#include "rpc_xprt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AUTH_SYS_GROUPS = 16 };

static void marshal(AUTH *auth, struct rpc_auth *into)
{
    XDR xdr;
    xdrmem_create(&xdr, (char *)into->bytes, sizeof into->bytes, XDR_ENCODE);
    into->length = AUTH_MARSHALL(auth, &xdr) ? xdr_getpos(&xdr) : 0;
    xdr_destroy(&xdr);
    auth_destroy(auth);
}

void rpc_auth_none(struct rpc_auth *auth)
{
    marshal(authnone_create(), auth);
}

bool rpc_auth_sys(struct rpc_auth *auth, size_t *groups, struct problem *problem)
{
    char host[256] = "";
    int count = getgroups(0, NULL);
    gid_t *list = calloc(count > 0 ? (size_t)count : 1, sizeof *list);
    if (count < 0 || list == NULL || (count > 0 && (count = getgroups(count, list)) < 0)) {
        free(list);
        return problem_set(problem, "cannot read this process's groups");
    }
    gethostname(host, sizeof host - 1);
    *groups = (size_t)count;
    AUTH *made = authunix_create(host, geteuid(), getegid(), count > AUTH_SYS_GROUPS ? AUTH_SYS_GROUPS : count, list);
    free(list);
    if (made == NULL) {
        return problem_set(problem, "cannot make AUTH_SYS credentials: out of memory");
    }
    marshal(made, auth);
    return auth->length > 0 || problem_set(problem, "cannot make AUTH_SYS credentials");
}
