/** Owner of what Gantry itself keeps in the secret store: the model's key, the proxy's password, the registry's token. No server can have this id. */
export const HOST_SECRETS = 'host';
