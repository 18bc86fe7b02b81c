// The build replaces this file's declarations with those of openapi-fetch, so users need not install openapi-fetch.
export { type Client, default } from 'openapi-fetch'
