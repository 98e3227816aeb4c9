/* Preloaded into nfs-ganesha: its registration with a portmapper "succeeds"
 * although there is none. Without it the start of NFSv3 is fatal.
 * The real functions' arguments are not looked at, so none are declared. */

int rpcb_set(void);
int rpcb_unset(void);

int rpcb_set(void)
{
    return 1;
}

int rpcb_unset(void)
{
    return 1;
}
