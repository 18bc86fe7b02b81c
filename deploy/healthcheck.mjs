// Exits with 0 if the server of this container responds to /health, and with 1 otherwise.
import { get } from 'node:http'

const { HOST, PORT } = process.env

get({ host: HOST || '127.0.0.1', port: PORT || 3001, path: '/health', timeout: 2000 }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1)
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
