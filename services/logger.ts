type LogMethod = (fields: object, message: string) => void

/** The part of a pino logger that the services use. */
export interface Logger {
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
}
