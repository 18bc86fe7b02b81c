import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import transactionBackEnd, { fastifyOptions, loadConfig } from 'transaction-back-end'
import shop from './shop.mjs'

const { SHOP_ADDRESS, SHOP_PORT, SERVICE_WEBHOOK_SECRET_FILE } = process.env
const paidTo = { targetChain: 'POL', targetSymbol: 'USDC', targetAddress: SHOP_ADDRESS }
const webhookSecret = readFileSync(SERVICE_WEBHOOK_SECRET_FILE, 'utf8').trim()

const configuration = loadConfig(process.env)
const server = Fastify(fastifyOptions(configuration))
server.register(transactionBackEnd, { configuration, prefix: '/payments' })
server.register(shop, { paidTo, webhookSecret })
process.once('SIGTERM', () => server.close())
await server.listen({ host: '127.0.0.1', port: Number(SHOP_PORT) })
