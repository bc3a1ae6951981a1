#!/usr/bin/env node
import '../dist/pilotfish.js';
