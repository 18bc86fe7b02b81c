#!/usr/bin/env node
import './server.ts'
