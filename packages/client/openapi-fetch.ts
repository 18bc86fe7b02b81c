// The package contains openapi-fetch's own declarations in place of this file's, so that users need not install it.
export { type Client, default } from 'openapi-fetch'
