"""The inverse question, for defenders: which setting makes recovery impossible?"""
