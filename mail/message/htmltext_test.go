package message

import (
	"strings"
	"testing"
)

// TestHiddenText: what a page hides was not written by whoever sends it on.
func TestHiddenText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		html   string
		hidden bool
	}{
		{`<div style="display:none">X</div>`, true},
		{`<div style="color: red; DISPLAY : NONE !important">X</div>`, true},
		{`<div style="dis/* */play:no/*;*/ne">X</div>`, true},
		{`<span style="visibility: hidden">X</span>`, true},
		{`<p style="mso-hide:all">X</p>`, true},
		{`<p style="font-size:0">X</p>`, true},
		{`<p style="font-size:0.0px;">X</p>`, true},
		{`<p style="opacity:0">X</p>`, true},
		{`<div style="max-height:0px;overflow:hidden">X</div>`, true},
		{`<p hidden>X</p>`, true},
		{`<div hidden="hidden"><div><b>X</b></div></div>`, true},
		{`<template>X</template>`, true},
		{`<title>X</title>`, true},
		{`<style>X</style>`, true},
		{`<script>X</script>`, true},
		{`<!-- X -->`, true},
		{`<del>X</del>`, true},
		{`<div class="gmail_signature">X</div>`, true},
		{`<p style="font-size:0.9em">X</p>`, false},
		{`<p style="opacity:0.5">X</p>`, false},
		{`<p style="line-height:0">X</p>`, false},
		{`<p style="/* display:none */">X</p>`, false},
		{`<p style="background:url(x?display:none)">X</p>`, false},
		{`<p hidden>Y<p>X</p>`, false},
		{`<div style="display:none">Y</div>X`, false},
		{`<div style="display:none"><p>Y</div>X`, false},
		{`<font color="white">X</font>`, false},
	} {
		got := htmlText("<html><body>" + tt.html + "</body></html>")
		if strings.Contains(got, "X") == tt.hidden || strings.Contains(got, "Y") {
			t.Errorf("%s gives %q", tt.html, got)
		}
	}
}
