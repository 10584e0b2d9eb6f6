# SPDX-License-Identifier: Apache-2.0

"""A function of AWS Lambda that cannot be loaded."""

raise RuntimeError("no database")
