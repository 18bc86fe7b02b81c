type LogMethod = (fields: object, message: string) => void

/** What the services need of a pino logger. */
export interface Logger {
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
}
