import type { Logger } from '../../services/logger.ts'

export interface LogEntry {
  level: string
  fields: object
  message: string
}

export function keepingLog(): { log: Logger; entries: LogEntry[] } {
  const entries: LogEntry[] = []
  const at = (level: string) => (fields: object, message: string) => {
    entries.push({ level, fields, message })
  }
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, entries }
}
