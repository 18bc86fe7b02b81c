import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { boundedLines } from '../../services/audit/bounded.ts'
import type { AuditEntry } from '../../services/audit/index.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { everybodyWrites } from '../../services/named-file.ts'
import { version } from '../../services/version.ts'

type ServerEntry = Omit<AuditEntry, 'actor'> & { request?: FastifyRequest }

declare module 'fastify' {
  interface FastifyInstance {
    /** Appends to the audit log, if configured, and logs a failure. The actor is the caller or the server. */
    audit(entry: ServerEntry): Promise<void>
  }
}

function toEntry({ request, ...entry }: ServerEntry): AuditEntry {
  if (request === undefined) return { actor: 'server', ...entry }
  const actor = request.caller ? `caller ${request.caller.name}` : 'public'
  return { actor, ...entry, details: { requestId: request.id, ...entry.details } }
}

async function chainIdOf({ store, chainClient }: FastifyInstance): Promise<string | null> {
  const known = (await store.walletState()) ?? (await chainClient.status().catch(() => undefined))
  return known?.chainId ?? null
}

/** `app.audit`: the server's audit log, if SERVICE_AUDIT_FILE is set (interface 25.4). */
export default fp(
  async app => {
    const { SERVICE_AUDIT_FILE: path, ...settings } = app.config
    if (path === undefined) {
      app.decorate('audit', async () => {})
      return
    }
    // Load the file lock only if used.
    const { createAuditLog } = await import('../../services/audit/index.ts')
    const log = createAuditLog(path)
    const failed = onceAMinute<unknown>((lines, err) =>
      app.log.error({ err, lines }, 'failed to write the audit log')
    )
    const record = (entry: AuditEntry) => log.append(entry).catch(failed)
    app.decorate('audit', entry => record(toEntry(entry)))

    let isStarted = false
    // Runs before the engine starts, because `submissions` depends on this plugin. Startup fails if the start cannot be
    // logged.
    app.addHook('onReady', async () => {
      const wallet = app.signer.address
      const details = { version, wallet, chainId: await chainIdOf(app), settings }
      await log.append({ actor: 'server', action: 'start', outcome: 'done', details })
      isStarted = true
      if (everybodyWrites(path)) {
        app.log.warn({ variable: 'SERVICE_AUDIT_FILE' }, 'the audit log is world-writable')
      }
    })
    const refusals = boundedLines(record)
    app.addHook('onError', async (request, _reply, error) => {
      if (!(error instanceof ServiceError) || error.code !== 'APPROVAL_INVALID') return
      const { message } = error
      await refusals.append(
        toEntry({ request, action: 'approval', outcome: 'refused', details: { message } })
      )
    })
    app.addHook('onClose', async () => {
      await refusals.close()
      if (isStarted) await record({ actor: 'server', action: 'stop', outcome: 'done' })
    })
  },
  { name: 'audit' }
)
