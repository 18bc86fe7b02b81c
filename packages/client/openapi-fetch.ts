// In the package this file's declarations are those of openapi-fetch itself, so that its users need not install it.
export { type Client, default } from 'openapi-fetch'
