import type { Logger } from '../../services/logger.ts'

export function keepingLog() {
  const entries: { level: string; fields: object; message: string }[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void entries.push({ level, fields, message })
  const log: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { log, entries }
}
