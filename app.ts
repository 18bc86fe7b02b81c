import { join } from 'node:path'
import autoload from '@fastify/autoload'
import fp from 'fastify-plugin'
import type { Configuration } from './config/index.ts'
import acceptSubmission from './plugins/app/accept-submission.ts'
import admission from './plugins/app/admission.ts'
import audit from './plugins/app/audit.ts'
import bitcoin from './plugins/app/bitcoin.ts'
import callers from './plugins/app/callers.ts'
import chainClient from './plugins/app/chain-client.ts'
import chains from './plugins/app/chains.ts'
import config from './plugins/app/config.ts'
import connections from './plugins/app/connections.ts'
import customValidation, { type HostValidations } from './plugins/app/custom-validation.ts'
import drain from './plugins/app/drain.ts'
import errorHandler from './plugins/app/error-handler.ts'
import events from './plugins/app/events.ts'
import fees from './plugins/app/fees.ts'
import metrics from './plugins/app/metrics.ts'
import playground from './plugins/app/playground.ts'
import providers from './plugins/app/providers.ts'
import readiness from './plugins/app/readiness.ts'
import signer from './plugins/app/signer.ts'
import status from './plugins/app/status.ts'
import store from './plugins/app/store.ts'
import submissions from './plugins/app/submissions.ts'
import webhooks from './plugins/app/webhooks.ts'
import cors from './plugins/external/cors.ts'
import helmet from './plugins/external/helmet.ts'
import rateLimit from './plugins/external/rate-limit.ts'
import swagger from './plugins/external/swagger.ts'
import underPressure from './plugins/external/under-pressure.ts'

export interface AppOptions extends Configuration {
  hostValidations?: HostValidations
}

// autoload does not detect tsx's import hook, so enable TypeScript files explicitly.
if (import.meta.filename.endsWith('.ts')) process.env['FASTIFY_AUTOLOAD_TYPESCRIPT'] = 'true'
const byFolder = { routeParams: true, scriptPattern: /^index\.[jt]s$/ }

/** The application: its plugins in the order in which they act, then its routes. They close in reverse order. */
export default fp<AppOptions>(
  async (app, { secrets, hostValidations, ...configuration }) => {
    app.register(config, configuration) // the settings; only JSON is read
    app.register(metrics) // counts requests, and the events that other plugins report
    app.register(errorHandler) // turns errors into responses
    app.register(helmet) // sets the headers of each response
    app.register(callers) // identifies the caller by the API key
    app.register(cors) // sets the CORS headers for listed origins
    app.register(rateLimit) // limits the requests of each client
    app.register(admission) // rejects unlisted pages, and keys without the scope
    app.register(underPressure) // rejects requests under overload
    app.register(drain, { secrets }) // announces the stop, before anything closes
    app.register(signer, { secrets }) // the wallet
    app.register(audit) // logs each start and stop
    app.register(chainClient, { secrets }) // the chain's nodes and its REST API
    app.register(chains, { secrets }) // the chains that the operator and the chain allow
    app.register(store, { secrets }) // submissions, quotes and events
    app.register(submissions) // the engine, which executes each submission once
    app.register(connections, { isEmbedded: hostValidations !== undefined }) // counts and closes connections
    app.register(fees, { secrets }) // quotes
    app.register(providers, { secrets }) // compliance and KYC
    app.register(bitcoin, { secrets }) // reads of Bitcoin, and locks for payments from it
    app.register(acceptSubmission, { secrets }) // checks a submission before the engine gets it
    app.register(status, { secrets }) // the status of a transaction on the chain
    app.register(events) // streams of changing states
    app.register(webhooks, { secrets }) // deliveries to the integrator
    app.register(readiness) // the checks of /ready
    app.register(swagger) // the OpenAPI document
    app.register(playground, { secrets }) // a page for developers
    app.register(customValidation, { hostValidations }) // the integrator's own check
    app.register(autoload, { dir: join(import.meta.dirname, 'routes'), ...byFolder })
  },
  { name: 'app' }
)
